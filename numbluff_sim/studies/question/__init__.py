"""What sweep and tune share: a file that asks a question over axes, the axes, designs over them."""
