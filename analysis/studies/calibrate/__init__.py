"""TODO analysis/studies/calibrate"""
