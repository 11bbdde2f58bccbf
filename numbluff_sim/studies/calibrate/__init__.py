"""TODO numbluff_sim/studies/calibrate"""
