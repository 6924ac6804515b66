variable "v" {
  default = "1"
}
resource "terraform_data" "source" {
  input = { changes = var.v, same = "s" }
}
resource "terraform_data" "reader" {
  input = terraform_data.source.output.same
}
resource "terraform_data" "second" {
  input = terraform_data.reader.output
  lifecycle {
    postcondition {
      condition     = self.output == "s"
      error_message = "Not s."
    }
  }
}
resource "terraform_data" "first" {
  triggers_replace = terraform_data.reader.output
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "triggered" {
  lifecycle {
    replace_triggered_by = [terraform_data.reader.output]
  }
}
output "o" {
  value = terraform_data.second.output
}
