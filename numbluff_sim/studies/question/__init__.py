"""TODO numbluff_sim/studies/question"""
