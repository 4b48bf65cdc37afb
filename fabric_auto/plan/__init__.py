"""Running against intended: ordered changes, the steps that make them, and their inverse."""
