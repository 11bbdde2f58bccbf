"""TODO analysis/studies/compare"""
