variable "v" {
  type    = number
  default = 1
}
resource "terraform_data" "seed" {
  input = var.v
}
resource "terraform_data" "update" {
  input = terraform_data.seed.output
  lifecycle {
    postcondition {
      condition     = self.output != 2
      error_message = "Updated to 2."
    }
  }
}
resource "terraform_data" "replace" {
  triggers_replace = terraform_data.seed.output
  lifecycle {
    postcondition {
      condition     = self.triggers_replace != 2
      error_message = "Replaced for 2."
    }
  }
}
resource "terraform_data" "first" {
  triggers_replace = terraform_data.seed.output
  lifecycle {
    create_before_destroy = true
    postcondition {
      condition     = self.triggers_replace != 2
      error_message = "Replaced first for 2."
    }
  }
}
resource "terraform_data" "reader" {
  input = [terraform_data.update.id, terraform_data.first.id, var.v]
}
