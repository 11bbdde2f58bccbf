"""TODO analysis/studies/check"""
