# c
# c
# c
# c
# c
# c
# c
# c
# c
# c
# c
# c
yy=2