"""What older programs left in a workspace, brought to where this one looks for it. Run at every start; mostly idle."""
