resource "terraform_data" "r" {}
check "waits" {
  assert {
    condition     = terraform_data.r.id == ""
    error_message = "Not empty: ${terraform_data.r.output == null ? "null" : "some"}."
  }
}
