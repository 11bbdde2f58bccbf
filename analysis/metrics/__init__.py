"""TODO analysis/metrics"""
