"""TODO analysis/statistics"""
