resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = "x"
    prevent_destroy = var.x
    ignore_changes = foo
    replace_triggered_by = 1
    foo = 1
    precondition {}
    postcondition { condition = true }
    bar {}
  }
  lifecycle {}
}
