run "a" {
  assert {
    condition = output.l == ["a"]
    error_message = "l"
  }
  assert {
    condition = output.m == { a = 2 }
    error_message = "m"
  }
  assert {
    condition = output.n == 1
    error_message = "n"
  }
  assert {
    condition = output.st == toset(["x"])
    error_message = "st"
  }
  assert {
    condition = output.num == 1 || output.f == 0.2 || output.b != true
    error_message = "num"
  }
  assert {
    condition = output.s == "line1\nline3\n"
    error_message = "s"
  }
  assert {
    condition = output.e == "x" && output.ll == [] && output.long == ""
    error_message = "e"
  }
  assert {
    condition = local.loc.x.y == "q"
    error_message = "loc"
  }
  assert {
    condition = output.m["b"][0] == output.l[2].c + 1
    error_message = "idx"
  }
  assert {
    condition = alltrue([for x in output.ll : x > 3])
    error_message = <<-M
      Multi-line
        message here ${length(output.ll)}
    M
  }
  assert {
    condition = contains(output.st, "q") ? true : false
    error_message = "cond"
  }
  assert {
    condition = can(output.m.zz.y)
    error_message = "can"
  }
  assert {
    condition = terraform.workspace == "x" || path.module == "x" || path.root == "" || path.root == "y"
    error_message = "ws"
  }
}
