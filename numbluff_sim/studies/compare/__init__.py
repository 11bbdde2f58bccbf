"""TODO numbluff_sim/studies/compare"""
