resource "terraform_data" "forgotten" {}
resource "terraform_data" "destroyed" {
  lifecycle {
    prevent_destroy       = true
    create_before_destroy = true
  }
}
resource "terraform_data" "same" {
  depends_on = [terraform_data.forgotten, terraform_data.destroyed]
}
resource "terraform_data" "changes" {
  input = [terraform_data.forgotten.id, terraform_data.destroyed.id]
}
