"""TODO analysis/studies/question"""
