mock_provider "random" {
  mock_resource "random_id" {
    defaults = "text"
  }
}
run "one" {
}
