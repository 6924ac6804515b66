mock_resource "random_pet" {
}
override_resource {
  target = random_pet.p
}
