"""TODO numbluff_sim/contract"""
