resource "terraform_data" "two" {
  count = 1
  lifecycle {
    enabled = true
  }
}
resource "terraform_data" "three" {
  for_each = {}
  count    = 1
  lifecycle {
    enabled = true
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  lifecycle {
    enabled         = true
    prevent_destroy = true
  }
  for_each = {}
}
module "m" {
  source   = "./m"
  for_each = {}
  lifecycle {
    enabled = true
  }
  lifecycle {
    enabled = true
  }
}
module "n" {
  source = "./m"
  lifecycle {
    prevent_destroy = true
  }
}
check "c" {
  data "terraform_remote_state" "in_check" {
    backend = "local"
    lifecycle {
      enabled = false
    }
  }
  assert {
    condition     = data.terraform_remote_state.in_check.outputs != null
    error_message = "e"
  }
}
