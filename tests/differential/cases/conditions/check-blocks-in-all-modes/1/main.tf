variable "v" {
  default = 1
}

variable "file" {
  default = "other.tfstate"
}

resource "terraform_data" "a" {
  input = var.v

  lifecycle {
    postcondition {
      condition     = self.output < 9
      error_message = "Too much."
    }
  }
}

check "with_data" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = { path = var.file }
  }

  assert {
    condition     = data.terraform_remote_state.s.outputs.n == terraform_data.a.output
    error_message = "${data.terraform_remote_state.s.outputs.n} is not ${terraform_data.a.output}."
  }

  assert {
    condition     = var.v < 5
    error_message = "Too much."
  }
}

check "after" {
  data "terraform_remote_state" "later" {
    backend    = "local"
    config     = { path = var.file }
    depends_on = [terraform_data.a]
  }

  assert {
    condition     = data.terraform_remote_state.later.outputs.n == 1
    error_message = "Not one."
  }
}

module "m" {
  source = "./m"
  count  = 2
  v      = var.v
}
