run "one" {
  assert {
    condition     = output.name == "y"
    error_message = "message 0"
  }
  assert {
    condition     = var.name == "y"
    error_message = "message 1"
  }
  assert {
    condition     = local.l.a[0] == 2
    error_message = "message 2"
  }
  assert {
    condition     = terraform_data.a.input == "y"
    error_message = "message 3"
  }
  assert {
    condition     = module.m.o == "y"
    error_message = "message 4"
  }
  assert {
    condition     = terraform_data.c[1].input == 3
    error_message = "message 5"
  }
  assert {
    condition     = length(terraform_data.c) == 3
    error_message = "message 6"
  }
  assert {
    condition     = path.module == "y"
    error_message = "message 7"
  }
  assert {
    condition     = terraform.workspace == "y"
    error_message = "message 8"
  }
  assert {
    condition     = local.l == { a = [1] }
    error_message = "message 9"
  }
  assert {
    condition     = contains(["a"], var.name)
    error_message = "message 10"
  }
  assert {
    condition     = alltrue([for c in terraform_data.c : c.input > 0])
    error_message = "message 11"
  }
}
