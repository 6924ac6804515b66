resource "terraform_data" "star" {
  lifecycle {
    ignore_changes = ["*"]
  }
}
resource "terraform_data" "mixed" {
  lifecycle {
    ignore_changes = ["*", input]
  }
}
resource "terraform_data" "quoted" {
  lifecycle {
    ignore_changes = ["input", "a b"]
  }
}
resource "terraform_data" "call" {
  lifecycle {
    ignore_changes = [upper(input)]
  }
}
resource "terraform_data" "word" {
  lifecycle {
    ignore_changes = everything
  }
}
