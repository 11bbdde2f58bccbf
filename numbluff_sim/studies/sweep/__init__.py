"""TODO numbluff_sim/studies/sweep"""
