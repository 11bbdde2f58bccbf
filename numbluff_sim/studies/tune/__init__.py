"""TODO numbluff_sim/studies/tune"""
