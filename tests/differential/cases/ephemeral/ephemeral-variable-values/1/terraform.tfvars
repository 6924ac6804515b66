list = [{ a = "x" }, { a = "y" }]
never_null = null
