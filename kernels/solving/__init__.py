"""Regrets of counterfactual regret minimisation over a game in sequence form."""
