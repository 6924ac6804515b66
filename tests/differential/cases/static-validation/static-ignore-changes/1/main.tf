resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = all
    create_before_destroy = []
  }
}
resource "terraform_data" "b" {
  lifecycle {
    ignore_changes = "all"
  }
}
resource "terraform_data" "c" {
  lifecycle {
    ignore_changes = ["*"]
  }
}
resource "terraform_data" "d" {
  lifecycle {
    ignore_changes = ["*", input]
  }
}
resource "terraform_data" "e" {
  lifecycle {
    ignore_changes = [output, id, inpt, triggers_replace.foo, input.x.y[0]]
  }
}
resource "terraform_data" "f" {
  lifecycle {
    ignore_changes = [all]
  }
}
