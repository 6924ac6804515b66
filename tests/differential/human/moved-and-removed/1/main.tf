resource "terraform_data" "old" {
  input = "same"
}
resource "terraform_data" "changed" {
  input = "before"
}
resource "terraform_data" "forgotten" {
  input = "f"
}
