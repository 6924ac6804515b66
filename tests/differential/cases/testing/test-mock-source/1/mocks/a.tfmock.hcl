mock_resource "random_pet" {
  defaults = {
    id = "from file"
  }
}
override_resource {
  target = random_pet.nowhere
}
