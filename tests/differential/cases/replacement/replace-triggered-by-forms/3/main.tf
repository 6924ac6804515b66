resource "terraform_data" "replaced" {
  triggers_replace = 2
}
resource "terraform_data" "counted" {
  count = 3
  input = 1
}
resource "terraform_data" "by_any" {
  lifecycle {
    replace_triggered_by  = [terraform_data.replaced.id]
    create_before_destroy = true
  }
}
resource "terraform_data" "by_created" {
  lifecycle {
    replace_triggered_by = [terraform_data.counted[2]]
  }
}
