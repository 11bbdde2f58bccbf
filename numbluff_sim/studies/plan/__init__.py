"""TODO numbluff_sim/studies/plan"""
