provider "Null" {}
provider "nu ll" {}
provider "" {}
provider "terraform" {}
provider "a-b_c" {}
