"""TODO analysis/studies/tune"""
