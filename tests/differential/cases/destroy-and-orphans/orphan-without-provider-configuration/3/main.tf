provider "terraform" {
  alias = "other"
}
module "m" {
  source = "./m"
}
