auto  = "a"
order = "a.auto"
