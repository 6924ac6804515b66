provider "terraform" {
  alias = "inner"
}
