override_module {
  target  = module.m
  outputs = {
    o = "all"
  }
}
override_module {
  target = module.m[1]
  outputs = {
    o = ["one"]
  }
}
override_module {
  target = module.n
  outputs = {
    o = { a = 1 }
  }
}
run "one" {
  assert {
    condition     = output.n[0].a == 1 && output.n[1] == null
    error_message = jsonencode(output.n)
  }
  assert {
    condition     = output.m[0] == "all" && output.m[1][0] == "one"
    error_message = jsonencode(output.m)
  }
}
run "plan" {
  command = plan
  assert {
    condition     = output.n == []
    error_message = jsonencode(output.n)
  }
}
