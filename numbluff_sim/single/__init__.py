"""TODO numbluff_sim/single"""
