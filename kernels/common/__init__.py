"""TODO kernels/common"""
