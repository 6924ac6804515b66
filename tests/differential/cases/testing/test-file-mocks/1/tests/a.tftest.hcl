mock_provider "random" {
  source = "./nope"
  mock_resource "random_id" {
  }
  mock_resource "random_id" {
  }
  mock_data "x" {
    defaults = local.x
  }
  mock_data "x" {
  }
  override_during = never
  override_resource {
    target = data.x.y
  }
}
