"""TODO analysis/studies/sweep"""
