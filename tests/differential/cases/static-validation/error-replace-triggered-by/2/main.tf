resource "terraform_data" "a" {
}
resource "terraform_data" "undeclared" {
  lifecycle {
    replace_triggered_by = [terraform_data.nothing]
  }
}
resource "terraform_data" "attribute" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.nothing]
  }
}
resource "terraform_data" "self" {
  lifecycle {
    replace_triggered_by = [terraform_data.self.input]
  }
}
