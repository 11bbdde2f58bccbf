"""TODO kernels/solving"""
