provider "terraform" {
}
provider "terraform" {
}
mock_provider "random" {
  alias = "1"
}
mock_provider "random" {
}
mock_provider "random" {
}
provider "local" {
  version = "1.0.0"
}
