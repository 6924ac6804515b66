a="b"
longer = { x=1 }
