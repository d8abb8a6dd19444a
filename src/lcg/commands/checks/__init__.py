"""Looking whether everything that lcg needs is as it should be; nothing in a workspace is changed, and none is made."""
