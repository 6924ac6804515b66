resource "terraform_data" "seed" {
  input = "seed"
}

resource "terraform_data" "checked" {
  input = terraform_data.seed.id
  lifecycle {
    postcondition {
      condition     = self.output == "never"
      error_message = "The output is ${self.output == "" ? "empty" : "something else"}."
    }
  }
}

resource "terraform_data" "dependent" {
  input = terraform_data.checked.output
}

resource "terraform_data" "independent" {
  input = "done"
}

output "independent" {
  value = terraform_data.independent.output
}

output "dependent" {
  value = terraform_data.dependent.output
}
