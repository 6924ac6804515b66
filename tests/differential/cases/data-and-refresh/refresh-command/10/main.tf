variable "v" {
  default = 1
}

resource "local_file" "a2" {
  filename = "${path.module}/a2.txt"
  content  = "a"
}

moved {
  from = local_file.a
  to   = local_file.a2
}

resource "terraform_data" "b" {
  input = var.v

  lifecycle {
    precondition {
      condition     = var.v < 5
      error_message = "Too much."
    }
    postcondition {
      condition     = self.output != 3
      error_message = "Never three."
    }
  }
}

data "local_file" "d" {
  filename   = "${path.module}/fixed.txt"
}

check "fixed" {
  assert {
    condition     = data.local_file.d.content == "fixed"
    error_message = "Not fixed."
  }
}

output "b" {
  value = terraform_data.b.output
}

