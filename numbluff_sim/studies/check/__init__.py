"""TODO numbluff_sim/studies/check"""
