variables {
  m = { a = "one" }
}
run "one" {
  command = plan
}
run "two" {
  variables {
    m = merge(run.one.m, { b = upper(run.one.keys[0]), c = run.one.nul == null ? "n" : "y" })
  }
  assert {
    condition = output.m == { a = "one", b = "A", c = "n" }
    error_message = jsonencode(output.m)
  }
  assert {
    condition = output.m == tomap({ a = "one", b = "A", c = "n" })
    error_message = jsonencode(output.m)
  }
}
run "three" {
  variables {
    m = run.two.m["b"] == "A" ? { z = run.two.keys[2] } : {}
  }
  assert {
    condition = output.m["z"] == "d"
    error_message = jsonencode(run.two)
  }
}
run "four" {
  variables {
    m = run.three
  }
}
run "five" {
  variables {
    m = run.two["m"]
  }
}
run "six" {
  variables {
    m = run["two"].m
  }
}
