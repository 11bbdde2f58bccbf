"""TODO numbluff_sim/studies/until"""
