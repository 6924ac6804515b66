module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "terraform_data" "late" {
  input = "x"
  lifecycle {
    postcondition {
      condition     = self.input == "y"
      error_message = "First postcondition."
    }
    postcondition {
      condition     = self.input != "x"
      error_message = <<-EOT
        Second
          postcondition of "${self.input}".
      EOT
    }
    postcondition {
      condition     = self.output == "y"
      error_message = "Decided when applied."
    }
  }
}
output "late" {
  value = terraform_data.late.input
  precondition {
    condition     = terraform_data.late.input == "y"
    error_message = "Never looked at."
  }
}
