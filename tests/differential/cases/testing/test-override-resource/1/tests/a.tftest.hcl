mock_provider "random" {
  override_resource {
    target = random_pet.p
    values = { id = "of mock" }
  }
  override_resource {
    target = random_pet.many
    values = { id = "all" }
  }
}
override_resource {
  target = random_pet.many[1]
  values = { id = "second" }
}
override_resource {
  target = module.m[0].random_pet.in
  values = { id = "in module" }
}
run "one" {
  assert {
    condition     = output.pet == "of mock"
    error_message = output.pet
  }
  assert {
    condition     = random_pet.many[*].id == tolist(["all", "second"])
    error_message = jsonencode(random_pet.many[*].id)
  }
  assert {
    condition     = module.m[0].o == "in module" && module.m[1].o != "in module"
    error_message = jsonencode(module.m)
  }
}
run "two" {
  state_key = "k"
  override_resource {
    target = random_pet.p
    values = { id = "of run" }
  }
  assert {
    condition     = output.pet == "of run"
    error_message = output.pet
  }
}
